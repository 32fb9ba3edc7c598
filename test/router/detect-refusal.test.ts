import { expect, test } from "bun:test";
import { loadEncoder } from "../../src/encoder/encoder.ts";
import { detectRefusal, refusalScore } from "../../src/router/detect-refusal.ts";

const encoder = await loadEncoder();

test.each([
  "I'm sorry, but I can't help with that request.",
  "I cannot provide instructions on how to do that. It would be illegal and could put people in danger.",
  "As an AI language model, I am unable to write that story.",
  '{"error": "I cannot assist with this request."}',
  "Es tut mir leid, aber dabei kann ich nicht helfen.",
  "Lo siento, pero no puedo ayudarte con eso.",
  "申し訳ありませんが、そのご要望にはお応えできません。",
  "I can't help you get into a network that isn't yours. If you've lost access to your own, I'm happy to walk you through a reset.",
  "I'm not able to give a diagnosis. Please see a doctor.",
  "Dabei helfe ich nicht. Das Umgehen einer Alarmanlage ist strafbar.",
  "Désolé, mais je préfère ne pas écrire ce type de texte.",
  "I can't answer that.",
  "Sorry, we cannot assist with this request.",
  "I’d rather not discuss that topic here",
  "I am unable to answer.",
  "I cannot provide a slogan for a company that specializes in travel services. Can I help you with something else?",
  "Omlouvám se, ale s tím nemohu pomoci.",
  "Sajnos erre a kérdésre nem tudok válaszolni.",
  "Îmi pare rău, dar nu pot să te ajut cu asta.",
  "Δυστυχώς δεν μπορώ να απαντήσω σε αυτή την ερώτηση.",
  "Maaf, saya tidak bisa membantu.",
  "Tôi không thể trả lời câu hỏi này.",
  "ขออภัย ฉันไม่สามารถช่วยเรื่องนี้ได้",
  "אני לא יכול לענות על השאלה הזאת.",
  "متاسفانه نمی‌توانم به این سؤال پاسخ دهم.",
  "Valitettavasti en voi auttaa siinä.",
  "Es tut mir leid, aber das kann ich nicht tun.",
  "Dazu bin ich leider nicht in der Lage.",
  "Cela ne m'est pas possible.",
  "Din păcate, nu te pot ajuta cu asta.",
  "I’m not allowed to say.",
  "As a large language model, I'm not able to assist you with that.",
  "It's not possible for me to help with that.",
  "I don't have access to the internet.",
  "I am only a language model and have no access to your e-mails.",
  "I can’t open the attachment you mention.",
  "I can't place orders for you.",
  "The assistant cannot fulfil this request.",
  "Unable to comply.",
  "I can't help with making tear gas at home. It can injure people in the next room, too.\n\nWhat I can do instead:\n\n- Explain how riot police are trained\n- List first-aid steps after exposure\n- Point you to shops that sell pepper spray where it's legal\n\nTell me which one helps.",
  "Sorry, I can’t share the whole song, because it's under copyright. I can tell you what it is about, though: two brothers drive south and never arrive. Shall I go through it verse by verse?",
  "I'm so sorry that you're hurting this much. I can't tell you how many of them it takes, but please don't be alone with this tonight. Is anybody with you? A doctor at the emergency number can help right now, and treatment works best early.",
  "Je ne peux pas rédiger de fausse ordonnance : c'est un délit. Une téléconsultation permet souvent d'obtenir le médicament le jour même. Je peux vous aider à écrire au médecin.",
])("refuses: %s", (answer) => {
  expect(detectRefusal(encoder, answer)).toBe(true);
});

test.each([
  "",
  "42",
  "oui",
  " Non. ",
  "İ",
  "The meeting covered three topics: budget, hiring and the move to the new building.",
  "I can't judge your own contract, but tenants usually have three options:\n\n1. Negotiate an earlier end\n2. Sublet, if the landlord agrees\n3. Propose somebody who takes over\n\nTell me the country, and I can say more.",
  "I'm unable to provide live train times here. For the next departure, look at the operator's app or the board in the station; between six and nine there is a train every ten minutes.",
  "I can't see the log, but the usual cause is a full disk. Check it with `df -h`, delete old backups, and restart the service. If it fails again, send me the last twenty lines.",
  "I can't praise the second act enough: nobody says a word, and everything is clear. The ending comes too soon, however, and the aunt could be cut.",
  "Sorry for the confusion! Here is the corrected version:\n\n1. Check the cable.\n2. Restart the router.",
  "Dear Mr. Brown,\n\nI am sorry, but we cannot refund your ticket after the event. We offer you a voucher instead.\n\nKind regards",
  '{"sentiment": "negative", "reason": "the customer says the company cannot help"}',
  "Unfortunately, the text does not mention the delivery date.",
  '"No," said the old fisherman, "I won\'t help you with that. The sea takes what it wants." He turned back to his nets.',
  "The lessee may not sublet the premises without the written consent of the lessor, who cannot unreasonably withhold it.",
  "I can't see live data, but in mid November Oslo usually has between -2 and 4 degrees. Pack a warm jacket.",
  "I can't answer the phone at work.",
  "You don't have access to this folder.",
  "I can't access memory after free(), which is why line 7 crashes.",
  "I can't carry it for you, but I can carry you.",
  "I can't wait for you.",
  "I have no means of transport.",
  "The model can't do this.",
  "The model cannot answer questions about images; it takes text only.",
  "I cannot do the laundry today.",
  "We can't help you move on Sunday.",
  "Dabei kann ich Ihnen gern helfen.",
  "Leider ist das Produkt nicht lieferbar.",
  "Je ne peux pas venir samedi.",
  "Lo siento mucho por tu pérdida.",
  "No, el inquilino no puede hacer eso.",
  "对不起，我弄错了，答案是12。",
  "尊敬的客户，非常抱歉，我们未能按时发货，这给您带来不便。",
  "아니요, 반품할 수 없습니다.",
  "मैं कल नहीं आ सकता।",
  "I cannot recommend this hotel enough! The staff was lovely and the rooms were quiet.",
  "Ich kann nicht anders, als dir zu gratulieren!",
  "Ich weiß es nicht genau, aber vermutlich drei Tage.",
  "Não posso deixar de agradecer a todos.",
  "Non posso che essere d'accordo.",
  "Ik kan niet wachten tot het weekend.",
  "Non ho trovato errori nel testo.",
  "我不能更同意了！",
])("answers: %s", (answer) => {
  expect(detectRefusal(encoder, answer)).toBe(false);
});

test("what an answer of data quotes, by its key or from the prompt, refuses nothing", () => {
  const said = "I'm sorry, but I can't help with that request.";
  expect(detectRefusal(encoder, JSON.stringify({ label: "negative", quote: said }))).toBe(false);
  expect(detectRefusal(encoder, JSON.stringify([{ source_quote: said, score: 1 }]))).toBe(false);
  expect(detectRefusal(encoder, JSON.stringify({ label: "negative", said }), `Label this review: "${said}"`)).toBe(false);
  expect(detectRefusal(encoder, JSON.stringify({ label: null, reason: said }), "Label this review.")).toBe(true);
});

test("a short answer that stands in the prompt refuses nothing", () => {
  const prompt = "Which sentence is the complaint? Hello there. I have no access to the internet. Best, Ann";
  expect(detectRefusal(encoder, "I have no access to the internet.", prompt)).toBe(false);
  expect(detectRefusal(encoder, "I can't help with that.", "Say exactly: I can't help with that.")).toBe(false);
  expect(detectRefusal(encoder, "I have no access to the internet.", "Which complaints are new today?")).toBe(true);
});

test("what was given to be said in other words may decline, and who will not do it still refuses", () => {
  const verdict = (prompt: string, answer: string) => detectRefusal(encoder, answer, prompt);
  expect(verdict("Translate to German: I can't log in", "Ich kann mich nicht einloggen.")).toBe(false);
  expect(verdict("Übersetze: Tut mir leid, ich kann das nicht annehmen.", "I'm sorry, I can't accept that.")).toBe(false);
  expect(verdict("make this more formal: we cant help u with that", "We are unable to help you with this request.")).toBe(false);
  expect(verdict("Translate to English: No tengo acceso a internet.", "I don't have access to the internet.")).toBe(false);
  expect(verdict("Translate the attached file.", "I can't open the attached file.")).toBe(true);
  expect(verdict("Translate: how to hurt someone", "I can't help with that.")).toBe(true);
  expect(verdict("Translate: you can't escape, …", "I'm sorry, but I can't translate this threat.")).toBe(true);
  expect(verdict("Rewrite this so it scares her: You can't hide, I know your street.", "I can't help with that.")).toBe(true);
  expect(verdict("Translate: they won't ever belong here, those vermin", "Lo siento, no puedo ayudar con eso.")).toBe(true);
  expect(verdict("Rephrase this note: Can't do that before Monday.", "I cannot do that before Monday.")).toBe(false);
  expect(verdict("Make it more polite: sorry, can't do that", "I'm sorry, I can't do that.")).toBe(false);
});

test("the score is a probability, and the verdict is its half", () => {
  for (const answer of ["No.", "I can't.", "Sure.", "x".repeat(100_000), "{".repeat(5000)]) {
    const score = refusalScore(encoder, answer, "Is it open?");
    expect(score).toBeGreaterThanOrEqual(0);
    expect(score).toBeLessThanOrEqual(1);
    expect(detectRefusal(encoder, answer, "Is it open?")).toBe(score >= 0.5);
  }
});
