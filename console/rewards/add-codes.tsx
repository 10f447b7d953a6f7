import {
  Button,
  FileButton,
  Group,
  Modal,
  Progress,
  Select,
  Stack,
  Text,
  Textarea,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { CopiedText } from '../parts/copied-text.tsx'
import { numberText } from '../parts/formats.ts'
import { IconUpload } from '../parts/icons.ts'
import { RefusalNotice } from '../parts/refusal-notice.tsx'
import { RightButton } from '../parts/right-button.tsx'
import { rewardCodesTexts as texts } from '../texts/rewards-texts.ts'
import { texts as shellTexts } from '../texts/shell-texts.ts'
import { type CodeTable, codesIn, type ListedCode, readTable } from './code-list.ts'
import { type Upload, useCodeUpload } from './use-code-upload.ts'

type CodeFile = { name: string; table: CodeTable }

/** A chosen file, or else a pasted text, and the column of its codes. */
type CodeSource = { file: CodeFile | null; pasted: string; column: number }

const noSource: CodeSource = { file: null, pasted: '', column: 0 }

const readFile = async (file: File): Promise<CodeSource> => {
  const table = readTable(await file.text(), /\.csv$/i.test(file.name))
  return { ...noSource, file: { name: file.name, table }, column: table.column }
}

const FileChoice = ({ onChoose }: { onChoose: (source: CodeSource) => void }) => (
  <Group gap="sm">
    <FileButton
      accept=".csv,.txt,text/csv,text/plain"
      inputProps={{ 'aria-label': texts.file }}
      onChange={async (file) => file && onChoose(await readFile(file))}
    >
      {(props) => (
        <Button {...props} variant="default" leftSection={<IconUpload size={16} aria-hidden />}>
          {texts.file}
        </Button>
      )}
    </FileButton>
    <Text size="xs" c="dimmed" flex={1} miw={160}>
      {texts.fileHint}
    </Text>
  </Group>
)

const columnChoices = ({ width, headings }: CodeTable) =>
  Array.from({ length: width }, (_, n) => ({
    value: String(n),
    label: headings?.[n] || texts.columnOf(n + 1),
  }))

const ChosenFile = (props: {
  of: CodeFile
  column: number
  onColumn: (column: number) => void
  onRemove: () => void
}) => {
  const { of, column, onColumn, onRemove } = props
  return (
    <>
      <Group justify="space-between" gap="sm">
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {texts.chosenFile(of.name)}
        </Text>
        <Button size="xs" variant="subtle" onClick={onRemove}>
          {texts.removeFile}
        </Button>
      </Group>
      {of.table.width > 1 && (
        <Select
          label={texts.column}
          allowDeselect={false}
          data={columnChoices(of.table)}
          value={String(column)}
          onChange={(value) => onColumn(Number(value))}
        />
      )}
    </>
  )
}

const maxLines = 20

const linesText = (lines: number[]) =>
  [...lines.slice(0, maxLines).map(numberText), ...(lines.length > maxLines ? ['…'] : [])].join(
    ', ',
  )

/** What was found in the list, before it is sent. */
const Found = ({ codes, tooLong }: { codes: ListedCode[]; tooLong: number[] }) => {
  const examples = codes.slice(0, 3).map(({ code }) => code)
  return (
    <div role="status">
      <Text size="sm" fw={600}>
        {codes.length === 0 ? texts.nothingFound : texts.found(numberText(codes.length))}
      </Text>
      {codes.length > 0 && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {texts.examples(examples.join(', '))}
        </Text>
      )}
      {tooLong.length > 0 && (
        <Text size="xs" c="red">
          {texts.tooLong(linesText(tooLong))}
        </Text>
      )}
    </div>
  )
}

const Choice = (props: {
  source: CodeSource
  onChange: (source: CodeSource) => void
  onSend: (codes: ListedCode[]) => void
  onClose: () => void
}) => {
  const { source, onChange, onSend, onClose } = props
  const { file, pasted, column } = source
  const { codes, tooLong } = codesIn(file?.table ?? readTable(pasted, false), column)
  return (
    <>
      {file ? (
        <ChosenFile
          of={file}
          column={column}
          onColumn={(next) => onChange({ ...source, column: next })}
          onRemove={() => onChange(noSource)}
        />
      ) : (
        <>
          <FileChoice onChoose={onChange} />
          <Textarea
            label={texts.pasted}
            rows={8}
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            value={pasted}
            onChange={({ currentTarget: { value } }) => onChange({ ...noSource, pasted: value })}
          />
        </>
      )}
      {(file || pasted.trim() !== '') && <Found codes={codes} tooLong={tooLong} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {shellTexts.cancel}
        </Button>
        <Button disabled={codes.length === 0} onClick={() => onSend(codes)}>
          {texts.add}
        </Button>
      </Group>
    </>
  )
}

const Duplicates = ({ of }: { of: ListedCode[] }) => (
  <>
    <Text size="sm">{texts.duplicates(numberText(of.length))}</Text>
    <CopiedText
      label={texts.duplicateLines}
      text={of.map(({ line, code }) => texts.line(numberText(line), code)).join('\n')}
    />
  </>
)

/** How far it is, and what became of it. */
const Result = (props: { of: Upload; onResume: () => void; onClose: () => void }) => {
  const { of, onResume, onClose } = props
  const sent = texts.adding(numberText(of.sent), numberText(of.all))
  return (
    <>
      <div role="status">
        {(of.isRunning || of.error) && (
          <>
            <Text size="sm" mb={6}>
              {sent}
            </Text>
            <Progress
              value={(of.sent / of.all) * 100}
              animated={of.isRunning}
              aria-label={sent}
              radius="xl"
            />
          </>
        )}
        {!of.isRunning && (
          <Text fw={600} mt={of.error ? 'sm' : 0}>
            {of.added === 0 ? texts.nothingAdded : texts.added(numberText(of.added))}
          </Text>
        )}
      </div>
      {of.duplicates.length > 0 && !of.isRunning && <Duplicates of={of.duplicates} />}
      {of.error && (
        <RefusalNotice error={of.error}>
          <Text size="sm">{texts.interrupted}</Text>
        </RefusalNotice>
      )}
      {!of.isRunning && (
        <Group justify="flex-end">
          {of.error && (
            <Button variant="default" onClick={onResume}>
              {texts.sendRest}
            </Button>
          )}
          <Button onClick={onClose}>{shellTexts.done}</Button>
        </Group>
      )}
    </>
  )
}

/** Adds codes from a file, or from a pasted text. The browser reads them. */
export const AddCodes = ({ rewardId }: { rewardId: string }) => {
  const [isOpen, { open, close }] = useDisclosure()
  const [source, setSource] = useState(noSource)
  const { upload, start, resume, forget } = useCodeUpload(rewardId)
  const leave = () => {
    close()
    forget()
    setSource(noSource)
  }
  const isBusy = upload?.isRunning ?? false
  return (
    <>
      <RightButton right="PROGRAMME_WRITE" onClick={open}>
        {texts.add}
      </RightButton>
      <Modal
        opened={isOpen}
        onClose={leave}
        title={texts.add}
        withCloseButton={!isBusy}
        closeOnEscape={!isBusy && source === noSource}
        closeOnClickOutside={!isBusy && source === noSource}
      >
        <Stack gap="sm">
          {upload ? (
            <Result of={upload} onResume={resume} onClose={leave} />
          ) : (
            <Choice source={source} onChange={setSource} onSend={start} onClose={leave} />
          )}
        </Stack>
      </Modal>
    </>
  )
}
