/** Leads to the year that ends, or has ended (LATELY-5). */
import { CalendarDays, X } from 'lucide-react'
import { useState } from 'react'
import { dashboard, year as texts } from 'virtual:texts'
import { ButtonLink, IconButton } from '../../ui/forms/button.tsx'
import { remembered } from '../../ui/remembered.ts'

export function YearLine({ year }: { year: number }) {
  const line = remembered('year_line', ['shown', `${year} dismissed`])
  const [isShown, setShown] = useState(line.read() === undefined)
  if (!isShown) return null
  return (
    <div className="flex items-center gap-2">
      <ButtonLink to={`/my_games/year?year=${year}`} icon={<CalendarDays aria-hidden />}>
        {texts.line({ year: String(year) })}
      </ButtonLink>
      <IconButton
        label={dashboard.wayBack.dismiss}
        onClick={() => {
          line.write(`${year} dismissed`)
          setShown(false)
        }}
      >
        <X aria-hidden />
      </IconButton>
    </div>
  )
}
