/**
 * What Deno lets this very process do, asked of Deno.
 * Rule: a right that m31a should not hold is asked for too; only a refusal counts as protection.
 */
import { SHELL } from "../platform/shell.ts";
import type { Finding } from "./doctor_finding.ts";

/** Something that m31a needs (`isNeeded`) or must not be able to do. */
interface Probe {
  right: string;
  descriptor: Deno.PermissionDescriptor;
  isNeeded: boolean;
}

const PROBES: readonly Probe[] = [
  { right: "read the project", descriptor: { name: "read", path: "." }, isNeeded: true },
  { right: "write planning/", descriptor: { name: "write", path: "planning" }, isNeeded: true },
  { right: "write sessions/", descriptor: { name: "write", path: "sessions" }, isNeeded: true },
  { right: `run ${SHELL}`, descriptor: { name: "run", command: SHELL }, isNeeded: true },
  { right: "reach the network", descriptor: { name: "net" }, isNeeded: true },
  { right: "read any file", descriptor: { name: "read" }, isNeeded: false },
  { right: "write any file", descriptor: { name: "write" }, isNeeded: false },
  { right: "write the project", descriptor: { name: "write", path: "." }, isNeeded: false },
  { right: "run any program", descriptor: { name: "run" }, isNeeded: false },
  { right: "run git itself", descriptor: { name: "run", command: "git" }, isNeeded: false },
  { right: "read the whole environment", descriptor: { name: "env" }, isNeeded: false },
  { right: "load native libraries", descriptor: { name: "ffi" }, isNeeded: false },
];

/** What of {@linkcode PROBES} is not as it should be, or that all of it is. */
export function permissionFindings(
  query = (descriptor: Deno.PermissionDescriptor) => Deno.permissions.querySync(descriptor).state,
): Finding[] {
  const what = "permissions";
  const isGranted = ({ descriptor }: Probe) => query(descriptor) === "granted";
  const lacking = PROBES.filter((probe) => probe.isNeeded && !isGranted(probe));
  const surplus = PROBES.filter((probe) => !probe.isNeeded && isGranted(probe));
  const findings: Finding[] = [];
  if (lacking.length > 0) {
    findings.push({ what, state: "missing", detail: `m31a may not ${rightsOf(lacking)}` });
  }
  if (surplus.length > 0) {
    const detail = `not confined by Deno: this process may ${rightsOf(surplus)}`;
    findings.push({ what, state: "note", detail });
  }
  if (findings.length > 0) return findings;
  const detail = "m31a itself reads the project, writes planning/ and sessions/, runs sh";
  return [{ what, state: "ok", detail }];
}

function rightsOf(probes: readonly Probe[]): string {
  return probes.map(({ right }) => right).join(", ");
}
