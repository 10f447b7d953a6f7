import { Box, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isNoId, RequestError } from '../client/request.ts'
import { useEnvironment } from '../client/viewer.tsx'
import type { Operation } from '../operation.ts'
import { texts } from '../texts/shell-texts.ts'
import { Breadcrumbs } from './breadcrumbs.tsx'
import { CopyAs } from './copy-as.tsx'
import { NoSuch } from './no-such.tsx'
import classes from './page.module.css'
import { RefusalNotice } from './refusal-notice.tsx'

type Asked<Data> = {
  data: Data | undefined
  error: Error | null
  isPlaceholderData: boolean
  refetch: () => void
}

type PageProps<Data, Variables> = {
  title: ReactNode
  /** The title of the browser's tab, where `title` is more than text. */
  name?: string
  /** The part of the object that is shown instead of the whole, for the breadcrumbs. */
  part?: string | undefined
  /** The purpose of the page, in one sentence. */
  description?: string
  actions?: ReactNode
  operation: Operation<Data, Variables>
  variables: Variables
  asked: Asked<Data>
  /** The text of the page of one object if the id in its URL is invalid. */
  noSuch?: string
  children: (data: Data) => ReactNode
}

/** A placeholder while data is loading. */
export const PageSkeleton = () => (
  <Stack gap="md" aria-busy aria-label={texts.loading}>
    <Skeleton h={96} />
    <Skeleton h={280} />
  </Stack>
)

/** Resets a URL whose filters or cursors are invalid. */
const WithoutFilters = ({ error }: { error: Error }) => {
  const navigate = useNavigate()
  if (!(error instanceof RequestError) || error.code !== 'INVALID_PARAMETERS') return null
  return (
    <Button size="xs" variant="default" onClick={() => navigate({ to: '.', search: {} })}>
      {texts.withoutFilters}
    </Button>
  )
}

/** A page of one operation: its title and actions, and its data once it is loaded. */
export const Page = <Data, Variables>(props: PageProps<Data, Variables>) => {
  const { title, part, description, actions, operation, variables, asked: query, children } = props
  const { noSuch, name = String(title) } = props
  const isLive = useEnvironment() === 'LIVE'
  useDocumentTitle(`${name} · ${isLive ? texts.live : texts.test} · Tessera`)
  return (
    <Stack gap="lg" maw={1600} mx="auto">
      <Box className={classes['head'] ?? ''}>
        <Box className={classes['title'] ?? ''}>
          <Breadcrumbs name={name} part={part} />
          <Title order={1} size="h2">
            {title}
          </Title>
          {description && (
            <Text c="dimmed" size="sm" maw={640}>
              {description}
            </Text>
          )}
        </Box>
        <Group gap="xs" className={classes['actions'] ?? ''}>
          {actions}
        </Group>
        <Box className={classes['copy'] ?? ''}>
          <CopyAs operation={operation} variables={variables} />
        </Box>
      </Box>
      {query.error &&
        (noSuch && isNoId(query.error) ? (
          <NoSuch text={noSuch} />
        ) : (
          <RefusalNotice error={query.error} onRetry={query.refetch}>
            <WithoutFilters error={query.error} />
          </RefusalNotice>
        ))}
      {query.data === undefined ? (
        !query.error && <PageSkeleton />
      ) : (
        <Box
          aria-busy={query.isPlaceholderData}
          style={{ opacity: query.isPlaceholderData ? 0.6 : 1, transition: 'opacity 120ms' }}
        >
          {children(query.data)}
        </Box>
      )}
    </Stack>
  )
}
