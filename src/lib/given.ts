/** Fields that were given: what is undefined or null counts as absent. For records whose optional fields have a value or are not there. */

type Given<Fields> = { [Name in keyof Fields]?: NonNullable<Fields[Name]> };

export const given = <Fields extends object>(fields: Fields): Given<Fields> => {
  const found: Given<Fields> = {};
  for (const name in fields) {
    const value = fields[name];
    if (value != null) found[name] = value;
  }
  return found;
};
