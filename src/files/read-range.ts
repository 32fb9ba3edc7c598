/** One byte range of a file (RFC 9110 §14). Several ranges at once are answered with the whole, which the RFC allows. */

export type ByteRange = { from: number /** Exclusive. */; to: number };

/** Undefined: the whole file; `unsatisfiable`: 416. */
export const readRange = (header: string | null, sizeBytes: number): ByteRange | undefined | "unsatisfiable" => {
  const match = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? "");
  if (!match || (match[1] === "" && match[2] === "")) return undefined;
  if (match[1] === "") {
    const last = Number(match[2]);
    return last === 0 || sizeBytes === 0 ? "unsatisfiable" : { from: Math.max(0, sizeBytes - last), to: sizeBytes };
  }
  const from = Number(match[1]);
  const to = match[2] === "" ? sizeBytes : Math.min(sizeBytes, Number(match[2]) + 1);
  if (from >= sizeBytes) return "unsatisfiable";
  return to > from ? { from, to } : undefined;
};
