import { NumberInput, type NumberInputProps } from '@mantine/core'

/** A required whole number, no larger than the API accepts. */
export const WholeNumberInput = (props: NumberInputProps) => (
  <NumberInput
    required
    min={0}
    max={2_147_483_647}
    allowDecimal={false}
    thousandSeparator=","
    {...props}
  />
)
