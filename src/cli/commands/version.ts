/** `signalbox version`. */

import { VERSION } from "../../version.ts";
import { type Given, tell } from "../command.ts";

export const printVersion = async (given: Given): Promise<number> =>
  tell(given, { version: VERSION, bun: Bun.version, platform: `${process.platform}-${process.arch}` }, `signalbox ${VERSION}`);
