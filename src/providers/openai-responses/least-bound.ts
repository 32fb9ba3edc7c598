/** Gap: OpenAI's Responses API refuses a smaller output bound, so requests for fewer tokens get this many. */
export const LEAST_RESPONSES_BOUND = 16;
