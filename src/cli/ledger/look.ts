/** How a view of the ledger is drawn. */
import type { Paint } from "../../faces/terminal/ansi.ts";

/** See the head of this file. */
export interface Look {
  paint: Paint;
  isUnicode: boolean;
  /** Columns. */
  width: number;
  /** Lines on the screen; undefined where nothing scrolls away. */
  height?: number;
}
