import { Badge, Group, VisuallyHidden } from '@mantine/core'
import { drawsTexts as texts } from '../texts/lotteries-texts.ts'

type Line = { main: readonly number[]; bonus: readonly number[] }

/** The numbers of a line or of a draw, the bonus numbers in another color. */
export const Numbers = ({ of: { main, bonus }, size = 'md' }: { of: Line; size?: string }) => (
  <Group gap={4} wrap="nowrap">
    {main.map((number) => (
      <Badge key={number} circle size={size} variant="default">
        {number}
      </Badge>
    ))}
    {bonus.map((number) => (
      <Badge key={`bonus${number}`} circle size={size} variant="filled">
        <VisuallyHidden>{texts.bonusNumber} </VisuallyHidden>
        {number}
      </Badge>
    ))}
  </Group>
)
