/** What `m31a doctor` has found out about one thing. */
export interface Finding {
  what: string;
  state: "ok" | "note" | "missing";
  detail: string;
}
