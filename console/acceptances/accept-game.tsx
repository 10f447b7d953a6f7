import { Modal } from '@mantine/core'
import { usePageSearch } from '../client/link.tsx'
import { shareableGames } from '../generated/acceptances.ts'
import { numberText } from '../parts/formats.ts'
import { FoundSelect } from '../parts/found-select.tsx'
import { RightButton } from '../parts/right-button.tsx'
import { acceptancesTexts as texts } from '../texts/acceptances-texts.ts'
import { AcceptForm } from './accept-form.tsx'

/** The value in the URL while no game is chosen. */
const any = 'any'

export const AcceptGameButton = () => {
  const [, setSearch] = usePageSearch()
  return (
    <RightButton right="ARENA_WRITE" onClick={() => setSearch({ accept: any })}>
      {texts.accept}
    </RightButton>
  )
}

/** Finds a game, shows its terms, and accepts it. The URL holds the chosen game. */
export const AcceptGame = () => {
  const [{ accept }, setSearch] = usePageSearch()
  const close = () => setSearch({ accept: undefined })
  return (
    <Modal opened={accept !== undefined} onClose={close} title={texts.accept} size="lg">
      {accept === any && (
        <FoundSelect
          label={texts.find}
          description={texts.findHint}
          operation={shareableGames}
          choicesOf={({ arena }) =>
            arena.games.nodes.map(({ id, name, entryFee }) => ({
              value: id,
              label: name,
              hint: texts.points(numberText(entryFee)),
            }))
          }
          onChange={(id) => id && setSearch({ accept: id }, { replace: true })}
          data-autofocus
        />
      )}
      {accept !== undefined && accept !== any && (
        <AcceptForm key={accept} id={accept} onClose={close} />
      )}
    </Modal>
  )
}
