/** The names of the types of personal data that a policy can look for. */

export const PERSONAL_DATA_TYPES = [
  "ssn",
  "ssn_no_dash",
  "credit_card",
  "email",
  "phone_us",
  "ip_address",
  "date_of_birth",
] as const;
export type PersonalDataType = (typeof PERSONAL_DATA_TYPES)[number];
