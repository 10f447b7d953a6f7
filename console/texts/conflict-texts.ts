/** Texts for conflicts: two people have changed the same object. */
export const conflictTexts = {
  title: 'Someone else saved changes first',
  changed: 'This changed while you were editing. Your changes are still here, but not saved yet.',
  exists: 'This already exists. Your changes are still here, but not saved yet.',
  gone: 'This was deleted while you were editing. Saving creates it again.',
  changedBy: (who: string) => `Changed by ${who}`,
  field: 'Field',
  theirs: 'Theirs',
  yours: 'Yours',
  none: '–',
  same: 'There are no differences.',
  load: 'Use theirs',
  discard: 'Discard mine',
  save: 'Overwrite with mine',
} as const
