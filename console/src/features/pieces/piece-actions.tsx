import { useQueryClient } from '@tanstack/react-query'
import { Puzzle } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { ActionApi } from '../../../../src/console.ts'
import { type BulkTarget, startBulk } from '../../api/bulk.ts'
import { quote } from '../../api/documents.ts'
import { findListed } from '../../api/listed.ts'
import type { PlacedPiece } from '../../api/pieces.ts'
import type { Document } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { showBulk } from '../bulk/running.ts'
import type { SelectionActionProps } from '../selection/selection-action.ts'
import { holds } from './condition.ts'
import { PieceHost } from './piece-host.tsx'
import { usePieceApi } from './use-piece-api.ts'
import { usePieces, usePieceTexts } from './use-pieces.ts'
import { usePieceWords } from './words.ts'

/** What an action is done with. */
interface ActedOn {
  readonly ids: readonly string[]
  readonly count: number
  readonly targets: readonly BulkTarget[]
}

/** As many as an address holds. */
const atOnce = 150

function actedOn(ids: readonly string[]): ActedOn {
  const parts = Array.from({ length: Math.ceil(ids.length / atOnce) }, (_, part) => ids.slice(part * atOnce, (part + 1) * atOnce))
  const targets = parts.map((part) => ({
    path: 'search',
    query: { query: `SELECT * FROM Document WHERE ecm:uuid IN (${part.map(quote).join(', ')})` },
  }))
  return { ids, count: ids.length, targets }
}

/** What plugins offer to do with a document. */
export function DocumentPieceActions({ document }: { readonly document: Document }) {
  const { actions } = usePieces()
  const offered = actions.filter(({ when }) => holds(when, document))
  return <Actions offered={offered} on={actedOn([document.uid])} look="quiet" onDone={() => undefined} />
}

/** What plugins offer to do with all that is selected. */
export function SelectionPieceActions({ ids, onDone }: SelectionActionProps) {
  const { actions } = usePieces()
  const queries = useQueryClient()
  if (actions.length === 0) return null
  const documents = findListed(queries, ids)
  const offered = actions.filter(({ when }) => documents.every((document) => holds(when, document)))
  return <Actions offered={offered} on={actedOn(ids)} onDone={onDone} />
}

export interface EverythingPieceActionsProps {
  readonly target: BulkTarget
  readonly count: number
  onDone(): void
}

/** With everything that a list has: what it is, nobody has looked at, so that only what is for all documents is offered. */
export function EverythingPieceActions({ target, count, onDone }: EverythingPieceActionsProps) {
  const offered = usePieces().actions.filter(({ when }) => when === undefined)
  return <Actions offered={offered} on={{ ids: [], count, targets: [target] }} onDone={onDone} />
}

interface ActionsProps {
  readonly offered: readonly PlacedPiece[]
  readonly on: ActedOn
  readonly look?: 'quiet'
  onDone(): void
}

function Actions({ offered, on, look, onDone }: ActionsProps) {
  const textOf = usePieceTexts()
  const [pressed, setPressed] = useState<PlacedPiece>()
  return (
    <>
      {offered.map((action) => (
        <Button key={`${action.plugin}/${action.name}`} look={look} onPress={() => setPressed(action)}>
          <Puzzle size={16} aria-hidden />
          <span className="wide-only">{textOf(action.label)}</span>
        </Button>
      ))}
      {pressed === undefined ? null : (
        <Dialog title={textOf(pressed.label)} isOpen onClose={() => setPressed(undefined)}>
          <Pressed action={pressed} on={on} onClose={() => setPressed(undefined)} onDone={onDone} />
        </Dialog>
      )}
    </>
  )
}

interface PressedProps {
  readonly action: PlacedPiece
  readonly on: ActedOn
  onClose(): void
  onDone(): void
}

function Pressed({ action, on, onClose, onDone }: PressedProps) {
  const say = usePieceWords()
  const textOf = usePieceTexts()
  const api = usePieceApi()
  const { ids, count, targets } = on
  // biome-ignore lint/correctness/useExhaustiveDependencies: handed over again when what it acts on is another, not with each drawing
  const handed = useMemo(
    () => ({
      ...api,
      selection: { ids, count, isEverything: ids.length === 0 },
      async runBulk(name: string, parameters: object = {}) {
        for (const target of targets) {
          const { commandId } = await startBulk(target, encodeURIComponent(name), parameters)
          showBulk({ id: commandId, label: say('running', { action: textOf(action.label), count }) })
        }
      },
      done() {
        onClose()
        onDone()
      },
      cancel: onClose,
    }),
    [api, ids.join(' '), count],
  )
  return <PieceHost<ActionApi> component={action} api={handed} />
}
