/** Short synthesized sounds. They are off unless the settings turn them on. */

let context: AudioContext | undefined

const tone = (frequency: number, at: number, seconds: number, volume: number) => {
  if (!context) return
  const [oscillator, gain] = [context.createOscillator(), context.createGain()]
  const start = context.currentTime + at
  oscillator.type = 'triangle'
  oscillator.frequency.value = frequency
  gain.gain.setValueAtTime(volume, start)
  gain.gain.exponentialRampToValueAtTime(0.0001, start + seconds)
  oscillator.connect(gain).connect(context.destination)
  oscillator.start(start)
  oscillator.stop(start + seconds)
}

const melody = (notes: number[], pace: number, volume: number) => {
  for (const [i, note] of notes.entries()) tone(note, i * pace, 0.45, volume)
}

export type Sounds = { tick(): void; win(): void; lose(): void }

const silent: Sounds = { tick: () => {}, win: () => {}, lose: () => {} }

/** Call it in a click handler, because browsers allow sounds only after a click. */
export const createSounds = (isOn: boolean | undefined): Sounds => {
  if (!isOn) return silent
  context ??= new AudioContext()
  void context.resume()
  return {
    tick: () => tone(1400, 0, 0.03, 0.04),
    win: () => melody([523, 659, 784, 1047], 0.11, 0.12),
    lose: () => melody([330, 262], 0.16, 0.07),
  }
}
