/** @copilotkit/aimock, a model server that nobody here wrote, on a free port of loopback. */
import { LLMock } from "@copilotkit/aimock";

/** A running aimock. */
export interface Aimock extends AsyncDisposable {
  readonly mock: LLMock;
  /** The address without a path. */
  readonly url: string;
  /** The address for `M31A_BASE_URL`. */
  readonly baseUrl: string;
}

/**
 * Starts aimock inside this process; `prepare` sets what it answers. It leaves an interval of its own
 * running when it is stopped: tests that use it need `sanitizeOps: false, sanitizeResources: false`.
 */
export async function startAimock(prepare: (mock: LLMock) => void): Promise<Aimock> {
  const mock = new LLMock({ port: 0, host: "127.0.0.1" });
  prepare(mock);
  await mock.start();
  return {
    mock,
    url: mock.url,
    baseUrl: `${mock.url}/v1`,
    [Symbol.asyncDispose]: () => mock.stop(),
  };
}
