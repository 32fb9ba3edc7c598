/** Reads an event stream to its end: data frames as parsed JSON, `[DONE]` as the word, event names beside. */

export type Frame = { event?: string; data: any };

export const readSse = async (response: Response): Promise<Frame[]> => parseSse(await response.text());

export const parseSse = (text: string): Frame[] =>
  text
    .split("\n\n")
    .filter((block) => block.includes("data: "))
    .map((block) => {
      const event = /^event: (.*)$/m.exec(block)?.[1];
      const raw = /^data: (.*)$/m.exec(block)![1]!;
      return { ...(event !== undefined && { event }), data: raw === "[DONE]" ? raw : JSON.parse(raw) };
    });

export const textOf = (frames: Frame[]): string => frames.map(({ data }) => data?.choices?.[0]?.delta?.content ?? "").join("");
