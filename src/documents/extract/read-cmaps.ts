/** The predefined CMaps (see release/pack-cmaps.ts), without which Chinese, Japanese and Korean PDFs that embed no fonts would be empty. */

import { ownValue } from "../../lib/own-value.ts";
import cmapsPath from "./cmaps.bin" with { type: "file" };

/** Name of a CMap (`UniGB-UCS2-H`) → its packed bytes, or undefined for a name that is not predefined. */
export const readCmaps = async (): Promise<(name: string) => Uint8Array | undefined> => {
  const packed = Bun.gunzipSync(new Uint8Array(await Bun.file(cmapsPath).arrayBuffer()));
  const headerBytes = new DataView(packed.buffer, packed.byteOffset).getUint32(0, true);
  const index = JSON.parse(new TextDecoder().decode(packed.subarray(4, 4 + headerBytes))) as Record<string, [number, number]>;
  const start = 4 + headerBytes;
  return (name) => {
    const place = ownValue(index, name);
    return place && packed.slice(start + place[0], start + place[0] + place[1]);
  };
};
