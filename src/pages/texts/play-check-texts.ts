/** The texts of the page that checks a play. To add a language, write its texts here. */
import { playTexts } from '../../../packages/verifier/play.ts'
import type { PageLanguage } from '../../generated/prisma/enums.ts'

/** What the browser says of a proof. */
const results = {
  ...playTexts,
  noProof: 'This is no proof of a play.',
  seedHidden: 'The server seed is not revealed yet. Replace it first, then get the proof again.',
  good: 'This play was drawn as promised.',
  wrong: 'Something is wrong with this play.',
}

export type PlayCheckResults = typeof results

const en = {
  results,
  kicker: 'Games of chance',
  title: 'Check a play',
  lead: 'See for yourself that a play was drawn as it was promised.',
  proof: 'The proof',
  proofText:
    'Your browser does the arithmetic itself and sends nothing anywhere. The program that does so comes from this server; to use none of it, check the proof {link}.',
  onYourMachine: 'on your own machine',
  paste: 'Paste the proof of the play',
  file: 'Or choose its file',
  check: 'Check',
  noScript: 'Without JavaScript this page cannot check anything. Use the program below.',
  how: 'How a play comes about',
  promise: 'Before the play: a promise',
  promiseText:
    'A secret server seed is fixed for you, and its fingerprint (SHA-256) shown. Nobody can find another seed with the same one.',
  yourPart: 'Your part: the client seed',
  yourPartText: 'You may choose any text. It was not known when the server seed was fixed.',
  play: 'The play',
  playText:
    'The outcome follows from both seeds, the number of the play, and the version of the game, by a fixed calculation.',
  afterwards: 'Afterwards: the seed is revealed',
  afterwardsText:
    'When you replace your seeds, the server seed is shown. Then you can check every play that was drawn from it.',
  limits: 'What this proves, and what it does not',
  proved: 'Proved',
  provedSeed: 'The server seed was not exchanged after its fingerprint was shown.',
  provedPlay:
    'The play follows from the seeds, its number and this version of the game, and from nothing else.',
  notProved: 'Not proved',
  inTime: 'That the fingerprint was shown in time.',
  inTimeText: 'Write it down before you play, with the number of the next play.',
  unknown: 'That nobody else knew the seed.',
  unknownText:
    'Whoever controls this server can calculate your plays in advance. They cannot change them; but only a client seed of your own makes sure that the server seed was not picked to suit somebody.',
  offline: 'To check a proof on your own machine, offline, save it as a file and run:',
  program:
    '{program} is one file that uses nothing of this server; it runs on {node} 24. {what} is written down, so that anybody can write another.',
  whatItChecks: 'What it checks',
}

export type PlayCheckTexts = typeof en

const de: PlayCheckTexts = {
  results: {
    notRevealed: 'Der Server-Seed ist noch nicht offengelegt. Ersetzen Sie ihn zuerst.',
    seedPromised: 'Der Server-Seed ist der, der vor dem Spiel versprochen wurde.',
    seedNotPromised:
      'Der Server-Seed ist NICHT der versprochene: Sein SHA-256 ist ein anderer als der Fingerabdruck.',
    bytesFollow:
      'Die Zufallsbytes folgen aus beiden Seeds, Spiel {nonce} und Version {version} des Spiels.',
    bytesDoNot:
      'Die Zufallsbytes folgen NICHT aus den Seeds, der Nummer und der Version des Spiels.',
    rewardFollows: 'Der Gewinn folgt daraus: {reward}.',
    rewardDoesNot: 'Der Gewinn folgt NICHT daraus. Er müsste sein: {reward}.',
    outcomeFollows: 'Auch was das Spiel gezeigt hat, folgt daraus.',
    outcomeDoesNot: 'Was das Spiel gezeigt hat, folgt NICHT daraus. Es müsste sein: {outcome}.',
    noProof: 'Das ist kein Nachweis eines Spiels.',
    seedHidden:
      'Der Server-Seed ist noch nicht offengelegt. Ersetzen Sie ihn zuerst, und holen Sie den Nachweis dann noch einmal.',
    good: 'Dieses Spiel wurde wie versprochen ausgelost.',
    wrong: 'Mit diesem Spiel stimmt etwas nicht.',
  },
  kicker: 'Zufallsspiele',
  title: 'Ein Spiel prüfen',
  lead: 'Sehen Sie selbst, dass ein Spiel so ausgelost wurde, wie es versprochen war.',
  proof: 'Der Nachweis',
  proofText:
    'Ihr Browser rechnet selbst und sendet nichts. Das Programm dafür kommt von diesem Server; wenn Sie nichts davon verwenden wollen, prüfen Sie den Nachweis {link}.',
  onYourMachine: 'auf Ihrem eigenen Rechner',
  paste: 'Nachweis des Spiels einfügen',
  file: 'Oder die Datei wählen',
  check: 'Prüfen',
  noScript:
    'Ohne JavaScript kann diese Seite nichts prüfen. Verwenden Sie das Programm weiter unten.',
  how: 'Wie ein Spiel zustande kommt',
  promise: 'Vor dem Spiel: ein Versprechen',
  promiseText:
    'Für Sie wird ein geheimer Server-Seed festgelegt und sein Fingerabdruck (SHA-256) gezeigt. Niemand kann einen anderen Seed mit demselben finden.',
  yourPart: 'Ihr Teil: der Client-Seed',
  yourPartText:
    'Sie können einen beliebigen Text wählen. Er war nicht bekannt, als der Server-Seed festgelegt wurde.',
  play: 'Das Spiel',
  playText:
    'Das Ergebnis folgt durch eine feste Rechnung aus beiden Seeds, der Nummer und der Version des Spiels.',
  afterwards: 'Danach: der Seed wird offengelegt',
  afterwardsText:
    'Wenn Sie Ihre Seeds ersetzen, wird der Server-Seed gezeigt. Dann können Sie jedes Spiel prüfen, das aus ihm ausgelost wurde.',
  limits: 'Was das beweist und was nicht',
  proved: 'Bewiesen',
  provedSeed: 'Der Server-Seed wurde nicht ausgetauscht, nachdem sein Fingerabdruck gezeigt war.',
  provedPlay:
    'Das Spiel folgt aus den Seeds, seiner Nummer und dieser Version, und aus nichts anderem.',
  notProved: 'Nicht bewiesen',
  inTime: 'Dass der Fingerabdruck rechtzeitig gezeigt wurde.',
  inTimeText: 'Schreiben Sie ihn vor dem Spiel auf, mit der Nummer des nächsten Spiels.',
  unknown: 'Dass niemand sonst den Seed kannte.',
  unknownText:
    'Wer diesen Server betreibt, kann Ihre Spiele im Voraus berechnen. Ändern kann er sie nicht; aber nur ein eigener Client-Seed stellt sicher, dass der Server-Seed nicht für jemanden passend ausgesucht wurde.',
  offline:
    'Um einen Nachweis offline auf Ihrem eigenen Rechner zu prüfen, speichern Sie ihn als Datei und starten Sie:',
  program:
    '{program} ist eine einzige Datei, die nichts von diesem Server verwendet; sie läuft mit {node} 24. {what} ist aufgeschrieben, sodass jeder ein anderes Programm schreiben kann.',
  whatItChecks: 'Was es prüft',
}

export const playCheckTexts: Record<PageLanguage, PlayCheckTexts> = { EN: en, DE: de }
