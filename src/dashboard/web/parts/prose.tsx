/** A sentence of the server's: what stands between backticks is code. */
export const Prose = ({ text }: { text: string }) => (
  <>{text.split("`").map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}</>
);
