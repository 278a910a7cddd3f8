import { FileSpreadsheet, FolderInput, Trash2, X } from 'lucide-react'
import { useState } from 'react'
import { Toolbar } from 'react-aria-components'
import type { BulkTarget } from '../../api/bulk.ts'
import type { Document } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Question } from '../../ui/dialog/question.tsx'
import { EverythingPieceActions } from '../pieces/piece-actions.tsx'
import styles from '../selection/selection-bar.module.css'
import { MoveAllDialog } from './move-all-dialog.tsx'
import { useBulk } from './use-bulk.ts'
import { useBulkWords } from './words.ts'

export interface BulkBarProps {
  readonly target: BulkTarget
  readonly count: number
  onClear(): void
}

/** What can be done with everything that a list has, also with what was never loaded. */
export function BulkBar({ target, count, onClear }: BulkBarProps) {
  const say = useBulkWords()
  const [asked, setAsked] = useState<'trash' | 'move'>()
  const { canTakeBack, exportTable, trash, moveTo } = useBulk(target, count)
  const begin = (run: () => void) => {
    setAsked(undefined)
    run()
    onClear()
  }
  return (
    <Toolbar className={styles.bar ?? ''} aria-label={say('actions')}>
      <Button onPress={() => begin(exportTable)}>
        <FileSpreadsheet size={16} aria-hidden />
        <span className="wide-only">{say('export')}</span>
      </Button>
      <Button onPress={() => setAsked('move')}>
        <FolderInput size={16} aria-hidden />
        <span className="wide-only">{say('move')}</span>
      </Button>
      <EverythingPieceActions target={target} count={count} onDone={onClear} />
      <Button onPress={() => setAsked('trash')}>
        <Trash2 size={16} aria-hidden />
        <span className="wide-only">{say('trash')}</span>
      </Button>
      <Button look="quiet" onPress={onClear}>
        <X size={16} aria-hidden />
        <span className="wide-only">{say('clear')}</span>
      </Button>
      <Question
        title={say('trashAll', { count })}
        isOpen={asked === 'trash'}
        confirmLabel={say('trash')}
        cancelLabel={say('cancel')}
        onConfirm={() => begin(trash)}
        onClose={() => setAsked(undefined)}
      >
        <p>{say(canTakeBack ? 'trashAllHint' : 'trashManyHint')}</p>
      </Question>
      {asked === 'move' ? (
        <MoveAllDialog
          count={count}
          canTakeBack={canTakeBack}
          onChoose={(folder: Document) => begin(() => moveTo(folder))}
          onClose={() => setAsked(undefined)}
        />
      ) : null}
    </Toolbar>
  )
}
