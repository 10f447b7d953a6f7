import { Button, Center, Stack, Title } from '@mantine/core'
import { texts } from '../texts/shell-texts.ts'

export const NotFound = () => (
  <Center mih="60vh" p="lg">
    <Stack align="center">
      <Title order={1} size="h3" ta="center">
        {texts.notFound}
      </Title>
      <Button component="a" href="/console">
        {texts.toOverview}
      </Button>
    </Stack>
  </Center>
)
