/** The result of a check. */
export type Finding = { ok: boolean; text: string }

/** The verdict on a proof whose parts are not what the format says. */
export const notUnderstood: Finding[] = [
  { ok: false, text: 'This is no proof that this program understands.' },
]

/** The result of each check, in order. */
export class Findings {
  readonly all: Finding[] = []

  check(ok: boolean, good: string, bad: string): void {
    this.all.push({ ok, text: ok ? good : bad })
  }
}
