import { useNavigate } from '@tanstack/react-router'
import { Ellipsis } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import { Menu, MenuItem } from '../ui/menu.tsx'
import { placesBelow, usePlaces } from './places.ts'
import styles from './shell.module.css'
import { useAppWords } from './words.ts'

/** On a narrow screen: what has no place below. */
export function FurtherPlaces() {
  const say = useAppWords()
  const navigate = useNavigate()
  const places = usePlaces()
  return (
    <li className={styles.further}>
      <Menu
        trigger={
          <Button look="quiet">
            <Ellipsis size={18} aria-hidden />
            {say('more')}
          </Button>
        }
      >
        {places.slice(placesBelow).map(({ to, word, icon: Icon }) => (
          <MenuItem key={to} textValue={say(word)} onAction={() => void navigate({ to, params: { _splat: '' } })}>
            <Icon size={18} aria-hidden />
            {say(word)}
          </MenuItem>
        ))}
      </Menu>
    </li>
  )
}
