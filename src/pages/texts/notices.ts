/** What pages say instead of what was looked for. To add a language, write its texts here, too. */
import type { PageLanguage } from '../../generated/prisma/enums.ts'

/** The readable message of an error. */
export type Notice = [title: string, text: string]

type Notices = {
  tooMany: Notice
  unavailable: Notice
  failed: Notice
  /** For any other refusal. Null as the text: the message of the error, which is in English. */
  refused: [title: string, text: string | null]
  noCampaign: Notice
  noDraw: Notice
  /** With `{start}` and `{documentation}`, which are links. */
  noPage: Notice
  start: string
  documentation: string
}

const en: Notices = {
  tooMany: ['One moment, please', 'Too many requests come from here. Try again shortly.'],
  unavailable: ['One moment, please', 'The service cannot answer right now. Try again shortly.'],
  failed: ['Something went wrong', 'Please try again in a moment.'],
  refused: ['That did not work', null],
  noCampaign: ['There is no such campaign', 'Check the address, or ask the sender of the link.'],
  noDraw: ['No such draw', 'The address is not that of a draw. Ask who gave it to you.'],
  noPage: [
    'This page does not exist',
    'The address may have a typing mistake, or the page has moved. Begin again at the {start}, or read the {documentation}.',
  ],
  start: 'start page',
  documentation: 'documentation',
}

const de: Notices = {
  tooMany: [
    'Einen Moment, bitte',
    'Von hier kommen zu viele Anfragen. Versuchen Sie es gleich noch einmal.',
  ],
  unavailable: [
    'Einen Moment, bitte',
    'Der Dienst kann gerade nicht antworten. Versuchen Sie es gleich noch einmal.',
  ],
  failed: ['Etwas ist schiefgegangen', 'Bitte versuchen Sie es in einem Moment noch einmal.'],
  refused: [
    'Das hat nicht geklappt',
    'Bitte öffnen Sie die Seite noch einmal, und versuchen Sie es erneut.',
  ],
  noCampaign: [
    'Diese Aktion gibt es nicht',
    'Prüfen Sie die Adresse, oder fragen Sie, wer Ihnen den Link geschickt hat.',
  ],
  noDraw: [
    'Diese Ziehung gibt es nicht',
    'Die Adresse gehört zu keiner Ziehung. Fragen Sie, wer sie Ihnen gegeben hat.',
  ],
  noPage: [
    'Diese Seite gibt es nicht',
    'Vielleicht hat die Adresse einen Tippfehler, oder die Seite ist umgezogen. Beginnen Sie noch einmal auf der {start}, oder lesen Sie die {documentation}.',
  ],
  start: 'Startseite',
  documentation: 'Dokumentation',
}

const languages: Record<PageLanguage, Notices> = { EN: en, DE: de }

export const noticesIn = (language: PageLanguage): Notices => languages[language]
