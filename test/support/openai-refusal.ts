/** What the official OpenAI SDK makes of a refusal. */

import OpenAI from "openai";

/** The error that OpenAI's SDK throws. */
export const refusalOf = async (work: PromiseLike<unknown>): Promise<InstanceType<typeof OpenAI.APIError>> => {
  try {
    await work;
  } catch (error) {
    if (error instanceof OpenAI.APIError) return error;
    throw error;
  }
  throw new Error("The call was answered.");
};
