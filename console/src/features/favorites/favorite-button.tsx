import { Star } from 'lucide-react'
import { ToggleButton } from 'react-aria-components'
import { type Document, hasFacet } from '../../api/types.ts'
import styles from './favorites.module.css'
import { useFavorites } from './use-favorites.ts'
import { useFavoriteWords } from './words.ts'

/** The star of a document: filled where it is a favorite. */
export function FavoriteButton({ document }: { readonly document: Document }) {
  const say = useFavoriteWords()
  const { add, remove, isPending } = useFavorites()
  const isFavorite = document.contextParameters?.favorites?.isFavorite ?? false
  // While the server is asked, it shows what was wanted.
  const isShown = isPending ? !isFavorite : isFavorite
  if (hasFacet(document, 'NotCollectionMember') || document.isTrashed) return null
  return (
    <ToggleButton
      className={styles.star ?? ''}
      isSelected={isShown}
      onChange={() => (isFavorite ? remove : add)([document.uid])}
      aria-label={say('title')}
    >
      <Star size={18} aria-hidden />
    </ToggleButton>
  )
}
