/** `signalbox version`. */

import { VERSION } from "../../version.ts";
import { printJson, readWords } from "../command.ts";

export const printVersion = async (words: string[]): Promise<number> => {
  const { values } = readWords(words, {});
  if (values.json) printJson({ version: VERSION, bun: Bun.version, platform: `${process.platform}-${process.arch}` });
  else process.stdout.write(`signalbox ${VERSION}\n`);
  return 0;
};
