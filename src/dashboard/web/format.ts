/** Formats figures for people: money with its significant digits, times in suitable units. */

import { serverNow } from "./server-clock.ts";

const whole = new Intl.NumberFormat("en-US");
const compact = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });
const cents = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
const nanoDollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 9 });
const dayAndTime = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
const full = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });
const dayOnly = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });

const calendarMonth = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });
const calendarDay = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });

/** Stands for what is not known. */
export const DASH = "–";
const orDash =
  <Value>(format: (value: Value) => string) =>
  (value: Value | null | undefined): string =>
    value == null ? DASH : format(value);

export const number = orDash(whole.format);
export const short = orDash((value: number) => (value < 10_000 ? whole.format(Math.round(value)) : compact.format(value)));

/** A number without an exponent, as one would type it. */
export const plain = (value: number): string =>
  Math.abs(value) < 1e-6 && value !== 0 ? value.toFixed(12).replace(/\.?0+$/, "") : String(value);

/** One nano-dollar. */
const LEAST_USD = 1e-9;

/** Rounded to cents from ten cents up; below that, two significant digits. */
export const usd = orDash((value: number) => {
  if (value === 0) return "$0";
  const amount = Math.abs(value);
  if (amount >= 0.1) return cents.format(value);
  // A mean of many costs may be below the smallest amount.
  if (amount < LEAST_USD / 2) return `< ${exactUsd(LEAST_USD)}`;
  const places = Math.min(9, 1 - Math.floor(Math.log10(amount)));
  return `${value < 0 ? "-" : ""}$${amount.toFixed(places).replace(/(\.\d\d\d*?)0+$/, "$1")}`;
});

/** The cost of one call, a price or a limit: all its digits, and at least cents. */
export const exactUsd = orDash(nanoDollars.format);

export const milliseconds = orDash((value: number) => {
  if (value < 999.5) return `${Math.round(value)} ms`;
  if (value < 9_995) return `${(value / 1_000).toFixed(2)} s`;
  if (value < 59_950) return `${(value / 1_000).toFixed(1)} s`;
  const seconds = Math.round(value / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
});

/** A rate of 0-1 as a percentage. Only exactly 1 is shown as 100 %, and only exactly 0 as 0 %. */
export const percent = (rate: number | null | undefined, digits = 1): string => {
  if (rate == null) return DASH;
  const value = rate * 100;
  const text = value.toFixed(digits);
  const step = 10 ** -digits;
  if (value < 100 && Number(text) === 100) return `> ${(100 - step).toFixed(digits)} %`;
  if (value > 0 && Number(text) === 0) return `< ${step.toFixed(digits)} %`;
  return `${value === 100 || value === 0 ? value : text} %`;
};

export const bytes = orDash((value: number) => {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let rest = value;
  let unit = 0;
  while (rest >= 1_000 && unit < units.length - 1) {
    rest /= 1_000;
    unit++;
  }
  return `${rest >= 100 || unit === 0 ? Math.round(rest) : rest.toFixed(1)} ${units[unit]}`;
});

const sameDay = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });
/** A time in a list: to the second today, to the minute on earlier days. */
export const moment = (iso: string): string => {
  const date = new Date(iso);
  return date.toDateString() === new Date(serverNow()).toDateString() ? sameDay.format(date) : dayAndTime.format(date);
};
export const when = orDash((iso: string) => dayAndTime.format(new Date(iso)));
export const exactly = orDash((iso: string) => full.format(new Date(iso)));
export const day = orDash((iso: string) => dayOnly.format(new Date(iso)));
/** `2026-11` as November 2026. */
export const monthName = (month: string): string => calendarMonth.format(new Date(`${month}-01`));
/** A calendar day ("2026-12-11"), shown as the same day in every time zone. */
export const date = (text: string): string => calendarDay.format(new Date(text));

export const ago = (iso: string | null | undefined): string => {
  if (!iso) return "never";
  const seconds = Math.round((serverNow() - Date.parse(iso)) / 1_000);
  if (seconds < 45) return "just now";
  if (seconds < 3_600) return `${Math.max(1, Math.round(seconds / 60))} min ago`;
  if (seconds < 86_400) return `${Math.round(seconds / 3_600)} h ago`;
  const days = Math.round(seconds / 86_400);
  return days < 30 ? `${days} d ago` : day(iso);
};

export const plural = (count: number, one: string, many = `${one}s`): string => `${number(count)} ${count === 1 ? one : many}`;

/** A rate as a field shows it: 0.07 is 7, not 7.000000000000001. */
export const percentage = (rate: number): number => Math.round(rate * 10_000) / 100;
