/** Figures as people read them: money to the digits that matter, times in fitting units. */

const whole = new Intl.NumberFormat("en-US");
const compact = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });
const cents = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
const dayAndTime = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
const full = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });
const dayOnly = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });

export const DASH = "–";

export const number = (value: number | null | undefined): string => (value == null ? DASH : whole.format(value));
export const short = (value: number | null | undefined): string =>
  value == null ? DASH : value < 10_000 ? whole.format(Math.round(value)) : compact.format(value);

/** Two decimals from a cent up; below it, two digits that mean something. */
export const usd = (value: number | null | undefined): string => {
  if (value == null) return DASH;
  if (value === 0) return "$0";
  if (Math.abs(value) >= 0.01) return cents.format(value);
  return `$${value.toPrecision(2).includes("e") ? value.toFixed(9).replace(/0+$/, "") : value.toPrecision(2)}`;
};

export const milliseconds = (value: number | null | undefined): string => {
  if (value == null) return DASH;
  if (value < 1_000) return `${Math.round(value)} ms`;
  if (value < 60_000) return `${(value / 1_000).toFixed(value < 10_000 ? 2 : 1)} s`;
  return `${Math.floor(value / 60_000)} min ${Math.round((value % 60_000) / 1_000)} s`;
};

/** A rate of 0-1. */
export const percent = (rate: number | null | undefined, digits = 1): string => {
  if (rate == null) return DASH;
  const value = rate * 100;
  return `${value === 100 || value === 0 ? value : value.toFixed(digits)} %`;
};

export const bytes = (value: number | null | undefined): string => {
  if (value == null) return DASH;
  const units = ["B", "KB", "MB", "GB", "TB"];
  let rest = value;
  let unit = 0;
  while (rest >= 1_000 && unit < units.length - 1) {
    rest /= 1_000;
    unit++;
  }
  return `${rest >= 100 || unit === 0 ? Math.round(rest) : rest.toFixed(1)} ${units[unit]}`;
};

export const when = (iso: string | null | undefined): string => (iso ? dayAndTime.format(new Date(iso)) : DASH);
export const exactly = (iso: string | null | undefined): string => (iso ? full.format(new Date(iso)) : DASH);
export const day = (iso: string | null | undefined): string => (iso ? dayOnly.format(new Date(iso)) : DASH);

export const ago = (iso: string | null | undefined): string => {
  if (!iso) return "never";
  const seconds = Math.round((Date.now() - Date.parse(iso)) / 1_000);
  if (seconds < 45) return "just now";
  if (seconds < 3_600) return `${Math.max(1, Math.round(seconds / 60))} min ago`;
  if (seconds < 86_400) return `${Math.round(seconds / 3_600)} h ago`;
  const days = Math.round(seconds / 86_400);
  return days < 30 ? `${days} d ago` : day(iso);
};

export const plural = (count: number, one: string, many = `${one}s`): string => `${number(count)} ${count === 1 ? one : many}`;
