import { ActionIcon, Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useEnvironment } from '../client/viewer.tsx'
import type { Operation } from '../operation.ts'
import { texts } from '../texts/shell-texts.ts'
import { IconBraces, IconCode, IconTerminal2 } from './icons.ts'

const textOf = async ({ id }: Pick<Operation<unknown, unknown>, 'id'>) => {
  const { default: documents } = await import('../../src/generated/console-documents.json')
  return (documents as Record<string, string>)[id] ?? ''
}

const copy = async (text: string) => {
  await navigator.clipboard.writeText(text)
  notifications.show({ message: texts.copied, autoClose: 1500 })
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

const curlOf = (query: string, variables: unknown, environment: string) =>
  [
    `curl ${location.origin}/graphql`,
    `-H ${quoted('Content-Type: application/json')}`,
    `-H ${quoted('Authorization: Bearer YOUR_ACCESS_TOKEN')}`,
    `-H ${quoted(`X-Environment: ${environment}`)}`,
    `-d ${quoted(JSON.stringify({ query, variables }))}`,
  ].join(' \\\n  ')

/** Copies the request of a page as GraphQL, as variables or as a curl command. */
export const CopyAs = <Data, Variables>(props: {
  operation: Operation<Data, Variables>
  variables: Variables
}) => {
  const { operation, variables } = props
  const environment = useEnvironment()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label={texts.copyAs}>
          <IconCode size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{texts.copyAs}</Menu.Label>
        <Menu.Item
          leftSection={<IconCode size={16} />}
          onClick={async () => copy(await textOf(operation))}
        >
          {texts.copyGraphql}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconBraces size={16} />}
          onClick={() => copy(JSON.stringify(variables, null, 2))}
        >
          {texts.copyVariables}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconTerminal2 size={16} />}
          onClick={async () => copy(curlOf(await textOf(operation), variables, environment))}
        >
          {texts.copyCurl}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
