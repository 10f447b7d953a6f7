import { ActionIcon, Avatar, Menu, Text, useMantineColorScheme } from '@mantine/core'
import { useGoTo } from '../client/link.tsx'
import { endSession } from '../client/session.ts'
import { useViewer } from '../client/viewer.tsx'
import { humanized } from '../parts/formats.ts'
import { IconDeviceDesktop, IconLogout, IconMoon, IconSun, IconUserCircle } from '../parts/icons.ts'
import { timeZoneTexts } from '../texts/period-texts.ts'
import { texts } from '../texts/shell-texts.ts'
import { placeOf } from '../zones.ts'

const schemes = [
  { value: 'light', label: texts.light, icon: IconSun },
  { value: 'dark', label: texts.dark, icon: IconMoon },
  { value: 'auto', label: texts.system, icon: IconDeviceDesktop },
] as const

export const UserMenu = () => {
  const { member, partner } = useViewer()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const goTo = useGoTo()
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="subtle" size="lg" radius="xl" aria-label={texts.account}>
          <Avatar size={30} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} truncate>
            {member?.email}
          </Text>
          <Text size="xs">
            {partner.name}
            {member && ` · ${humanized(member.role)}`}
          </Text>
          <Text size="xs" c="dimmed" hiddenFrom="md">
            {timeZoneTexts.shownIn(placeOf(partner.timeZone))}
          </Text>
        </Menu.Label>
        <Menu.Item
          leftSection={<IconUserCircle size={16} />}
          onClick={() => goTo({ page: 'account' })}
        >
          {texts.account}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{texts.appearance}</Menu.Label>
        {schemes.map(({ value, label, icon: Icon }) => (
          <Menu.Item
            key={value}
            leftSection={<Icon size={16} />}
            aria-current={colorScheme === value}
            fw={colorScheme === value ? 650 : 400}
            onClick={() => setColorScheme(value)}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={endSession}>
          {texts.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
