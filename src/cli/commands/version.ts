/** `signalbox version`. */

import { VERSION } from "../../version.ts";
import { type Given, printJson } from "../command.ts";

export const printVersion = async ({ values }: Given): Promise<number> => {
  if (values.json) printJson({ version: VERSION, bun: Bun.version, platform: `${process.platform}-${process.arch}` });
  else process.stdout.write(`signalbox ${VERSION}\n`);
  return 0;
};
