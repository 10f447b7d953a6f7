/**
 * Whether a client accepts an encoding: its `Accept-Encoding` names it, or `*`, with a weight above 0.
 */
export const acceptsEncoding = (
  header: string | string[] | undefined,
  encoding: 'br' | 'gzip',
): boolean => {
  const weights = new Map(
    String(header ?? '')
      .toLowerCase()
      .split(',')
      .map((one) => {
        const [name = '', ...parameters] = one.split(';').map((part) => part.trim())
        const weight = parameters.find((parameter) => parameter.startsWith('q='))
        return [name, weight ? Number(weight.slice(2)) : 1] as const
      }),
  )
  return (weights.get(encoding) ?? weights.get('*') ?? 0) > 0
}
