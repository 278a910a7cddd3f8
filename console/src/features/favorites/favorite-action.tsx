import { Star, StarOff } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import type { SelectionActionProps } from '../selection/selection-action.ts'
import { useFavorites } from './use-favorites.ts'
import { useFavoriteWords } from './words.ts'

/** Makes favorites of what is selected. */
export function FavoriteAction({ ids, onDone }: SelectionActionProps) {
  const say = useFavoriteWords()
  const { add } = useFavorites()
  return (
    <Button
      onPress={() => {
        add(ids)
        onDone()
      }}
    >
      <Star size={16} aria-hidden />
      <span className="wide-only">{say('add')}</span>
    </Button>
  )
}

export function NoFavoriteAction({ ids, onDone }: SelectionActionProps) {
  const say = useFavoriteWords()
  const { remove } = useFavorites()
  return (
    <Button
      onPress={() => {
        remove(ids)
        onDone()
      }}
    >
      <StarOff size={16} aria-hidden />
      <span className="wide-only">{say('remove')}</span>
    </Button>
  )
}
