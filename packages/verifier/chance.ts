/** A function that draws whole numbers below a bound, each equally likely, from blocks of 32 random bytes. */
export const chanceOf = (blockOf: (counter: number) => Uint8Array): ((bound: number) => number) => {
  const words: number[] = []
  let counter = 0
  const nextWord = (): number => {
    if (words.length === 0) {
      const block = new DataView(blockOf(counter++).buffer)
      for (let i = 0; i < 32; i += 4) words.push(block.getUint32(i))
    }
    return words.shift() as number
  }
  return (bound) => {
    if (!(bound >= 1)) throw new RangeError('There is no number to draw')
    // Words at the top of the range, which would favor small numbers, are skipped.
    const fair = Math.floor(2 ** 32 / bound) * bound
    for (;;) {
      const word = nextWord()
      if (word < fair) return word % bound
    }
  }
}
