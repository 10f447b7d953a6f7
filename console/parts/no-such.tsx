import { Alert, Button, Text } from '@mantine/core'
import { useRouterState } from '@tanstack/react-router'
import { type PageName, useGoTo } from '../client/link.tsx'
import { pageNames, texts } from '../texts/shell-texts.ts'

/** Says that the object in the URL does not exist, and links to the list. */
export const NoSuch = ({ text }: { text: string }) => {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const goTo = useGoTo()
  const page = path.split('/')[2] as PageName
  return (
    <Alert color="gray">
      <Text size="sm" mb="sm">
        {text}
      </Text>
      <Button size="xs" variant="default" onClick={() => goTo({ page })}>
        {texts.toList(pageNames[page])}
      </Button>
    </Alert>
  )
}
