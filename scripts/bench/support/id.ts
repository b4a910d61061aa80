/** The id of the session that is measured. */
export const BENCH_SESSION = "20260102-030405-1a2b";
