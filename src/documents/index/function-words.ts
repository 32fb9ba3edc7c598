/**
 * Words that questions are made of, as opposed to their subject. They weigh less in a query even if they are rare in a project. One list for
 * all languages, so words that are a subject in another language («AI», «man», «OS», «PO») are left out.
 */
import type { Tokenizer } from "./tokenize.ts";

const WORDS = `
  a about am an and any are as at be been being but by can could did do does doing explain find for from get give had has have he her
  here him his how i if in into is it its list many me mean more most much my no of on or our out please say says she should show so
  some tell than that the their them then there these they this those to up us was we were what when where which who whom whose why
  will with would you your
  aber als am an auch auf aus bei das dass dem den der des die durch ein eine einem einen einer es fur gibt hat haben ich im in ist
  kann mit nach nicht oder sein sich sie sind uber um und viel viele vom von vor war waren warum was welche welchem welchen welcher
  welches wenn wer wie wird wo zu zum zur
  bekomme bis bitte brauche darf dann diese dieser dieses durfen habe hast hatte ihr ihre kein keine keinen mein meine meinen meiner mich
  muss mussen noch nur ob seit soll sollen sollte unser unsere wann wem wen werde werden wessen wieso wir wurde wurden zwischen
  wieviel wieviele weshalb wohin woher wodurch womit woran worauf wofur hier dort denn doch etwas jemand jeder jede jedes
  au aux avec ce ces comment dans de des du elle en est et il ils la le les leur on ou par pas pour quand que quel quelle quelles
  quels qui sa se ses son sont sur un une
  avez avons cet cette combien etait ete etre faut je mes mon ne notre nous ont peut peux pourquoi puis quoi sans tu votre vous
  avoir doit dois fait faire pouvez pouvons puis tous toute toutes
  como con cual cuales cuando cuanto cuanta cuantos cuantas debe debo del desde donde el ella en entre es esta este fue fueron hasta la
  las lo los mas muy para por puede puedo que quien se ser sobre su sus tengo tiene tienen una uno y ya
  alguien esto hace hacer nos pasa pueden
  come cosa dei della delle devo gli ho nel nella perche posso quale quali quando quanti quanto sono tra
  da em foi meu minha onde ou qual quais quantas quantos quem tem um uma
  aan bij een heeft het hoeveel ik mijn moet naar niet veel voor waar wanneer wat welke zijn
  bir bu hangi icin ile kac nasil neden nerede nicin olan ve
  czy dla gdzie jak jaka jakie jaki jest kiedy kto od sie za
  есть ли мне можно мой моя мои нужно при чего чем
  в и на не что как кто где когда почему какой какая какие каких сколько это был была были по для из от к о с у за до или его ее их
  ما ماذا من متى أين كيف كم هل لماذا أي في على إلى عن مع هو هي هذا هذه ذلك تلك الذي التي كان كانت بين قبل بعد
  क्या कौन कब कहाँ कैसे कितना कितने कितनी क्यों किस किसने है हैं था थे थी में से को का के की पर ने और यह वह मुझे
  的 了 是 我 你 他 她 它 在 有 要 能 可 和 与 不 吗 呢 吧 就 都 也 很 还 又 才 再 这 那 几 多 只 个 被 把 让 给 对 从 到 向 为 于 以 之 其 所
  而 但 或 及 等 会 想 说 去 来 做 用 得 着 过 上 下 中 里 外 前 后 谁 會 說 個 這 過 後 裡 來 對 為 嗎 還 幾 給 從 讓
  可以 能否 多久 需要 应该 没有 怎么办 么办 我们 你们 几天 几点 几次 哪天 要多 能不 可不
  什么 多少 哪个 哪些 哪里 哪一 为什 如何 怎么 何时 谁的 是谁 是什 有多 了多 几个 时候 么时 怎样 哪儿 哪年 几年 多长 多大 多高 为何 是否 请问
  何 なに どこ いつ だれ どの どう なぜ です ます した する から まで という とは は何 が何 を何 何で すか ました でし しま でき くだ ださ さい 教え えて てく
  무엇 엇인 언제 어디 누가 누구 어떻 떻게 얼마 인가 는가 입니 습니 합니 니까 니다 나요 까요
`;

export const functionWords = (tokenize: Tokenizer): ReadonlySet<string> => new Set(tokenize(WORDS).terms);
