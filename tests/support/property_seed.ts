/**
 * Loaded before every test file: property tests draw the same values in each run.
 * Rule: a run that fails fails again; new values are drawn on purpose, with M31A_PROPERTY_SEED=random.
 */
import fc from "fast-check";

const USUAL_SEED = 31;

const wanted = Deno.env.get("M31A_PROPERTY_SEED");
if (wanted !== "random") fc.configureGlobal({ seed: Number(wanted ?? USUAL_SEED) });
