/** Messages that ask for more without saying of what: «Another one, please.», «go on», «noch eins bitte». An earlier message says it. */

const WORDS = new Set(
  (
    "a again also an and another as before can carry continue could different do else for four give go great i keep like make me more new next nice now of ok " +
    "okay once one ones or other please pls repeat same second some that the then these this those three time times to too try two version want we would yes you " +
    "going on thanks thank it them alternative variant variation " +
    "noch ein eine einen eins einmal mal nochmal nochmals bitte weiter weiteres weiteren anderes andere mach ja danke " +
    "encore un une autre plus s'il te vous plaît plait continuez oui merci refais " +
    "otro otra más mas por favor sigue continúa continua uno una vez sí gracias " +
    "outro outra mais um uma sim obrigado obrigada ancora altro altra un'altra un'altro sì grazie per favore " +
    "nog een eentje graag ga door jeszcze jeden jedna raz proszę dalej ещё еще один одну одно раз пожалуйста дальше продолжай bir tane daha lütfen devam et"
  ).split(" "),
);
/** Longer messages say more than this. */
const MOST_CHARACTERS = 60;

export const asksForMore = (message: string): boolean => {
  if (message.length > MOST_CHARACTERS) return false;
  const words = message.toLowerCase().match(/[\p{L}'’]+/gu) ?? [];
  return words.length > 0 && words.every((word) => WORDS.has(word));
};
