import { Box, Center, Paper, Stack, Text } from '@mantine/core'
import { type ComponentType, lazy, Suspense } from 'react'
import { doorTexts as texts } from '../texts/door-texts.ts'
import classes from './door.module.css'
import { SignInForm } from './sign-in-form.tsx'

const forms: Record<string, ComponentType> = {
  'sign-in': SignInForm,
  invitation: lazy(() => import('./invitation-form.tsx')),
  reset: lazy(() => import('./password-reset-form.tsx')),
}

/** The pages for people who are not signed in. */
const Door = () => {
  const Form = forms[location.pathname.split('/')[2] ?? ''] ?? SignInForm
  return (
    <Box className={classes['wall'] ?? ''}>
      <Center mih="100dvh" p="md">
        <Stack component="main" w="100%" maw={400} gap="lg">
          <Text component="p" m={0} className={classes['brand'] ?? ''}>
            {texts.product}
          </Text>
          <Paper withBorder p="xl" radius="lg" shadow="sm">
            <Suspense>
              <Form />
            </Suspense>
          </Paper>
        </Stack>
      </Center>
    </Box>
  )
}

export default Door
