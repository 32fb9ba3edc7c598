/** Made by eval/routing/train-visibility.ts from lines of our own (CC0-1.0); not edited by hand. */
import type { StoredWeights } from "./stored-weights.ts";

export const VISIBILITY: StoredWeights = {
  revision: "minilm-static-1",
  scale: 0.04375644962448276,
  bias: -0.6206989399614529,
  weights:
    "cA0byhw8gQXoC9o2QUTIB9K5PcgVwO3iMvoRKhIm9tTtBxvm/QnlIvMPAxDe+u7xJevs/OsVH/jo/vD7Ae/V4xgTHOoC6Q3vDPrv9Pb++xf25+4R4ff3FB76BezhB+8F7PEHFRfq6Pf5+QIfAgAs6AbT8Q4UDgbg5PUL8Ozn8g3l/QcTEwHnAQUOJhD17Bb6EdztIAkM/OAE3w/t9P4RAwcU7A3i0w8QD/Hj7v7s8fHo/f8Y+w0NCiQJB+AKBQAEFPXzGQDOGAAB8QUV8PcW5QcjCOki/+MN+wvzCOPy7CUN5+0V8P76HgH39Azh4QojFQwK8g/63+0JAPcC9AAN5w==",
};
