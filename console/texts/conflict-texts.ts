/** Texts for conflicts: two people have changed the same object. */
export const conflictTexts = {
  title: 'Somebody else was faster',
  changed:
    'This was changed while you edited it. Nothing of yours is lost, and nothing is saved yet.',
  exists: 'This exists already. Nothing of yours is lost, and nothing is saved yet.',
  gone: 'This was deleted while you edited it. Saving yours creates it again.',
  changedBy: (who: string) => `Changed by ${who}`,
  field: 'Field',
  theirs: 'Theirs',
  yours: 'Yours',
  none: '–',
  same: 'Nothing differs.',
  load: 'Load theirs',
  discard: 'Discard mine',
  save: 'Save mine over it',
} as const
