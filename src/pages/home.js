/** Keeps the figures of the start page up to date: asks for the page again and takes what may have changed. */
const everyMs = 10_000
const live = ['figures', 'arena']

const refresh = async () => {
  if (document.hidden) return
  const response = await fetch('/', { headers: { accept: 'text/html' } })
  if (!response.ok) return
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html')
  for (const id of live) {
    const [now, next] = [document.getElementById(id), fresh.getElementById(id)]
    // A link that has the focus stays.
    if (!now || !next || now.contains(document.activeElement) || now.innerHTML === next.innerHTML)
      continue
    now.replaceChildren(...next.childNodes)
  }
}

// A page that cannot be reached shows what it had.
setInterval(() => refresh().catch(() => {}), everyMs)
