/** Server-sent events, read from the body of a response. */

export type StreamMessage = { event: string; data: string }

/** Lines of a stream of text. */
async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      rest += decoder.decode(value, { stream: true })
      const lines = rest.split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) yield line.replace(/\r$/, '')
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/**
 * The messages of a stream. Each line counts as a sign of life, including the comments that keep a stream open.
 * @param onLife called for each line
 */
export async function* messagesOf(
  body: ReadableStream<Uint8Array>,
  onLife: () => void,
): AsyncGenerator<StreamMessage> {
  let event = 'message'
  let data: string[] = []
  for await (const line of linesOf(body)) {
    onLife()
    const [, field, value = ''] = /^(event|data): ?(.*)$/.exec(line) ?? []
    if (field === 'event') event = value
    else if (field === 'data') data.push(value)
    else if (line === '') {
      if (data.length > 0) yield { event, data: data.join('\n') }
      event = 'message'
      data = []
    }
  }
}
