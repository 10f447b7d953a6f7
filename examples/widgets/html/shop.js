// What a game has shown reaches the page as an event.
document.addEventListener('tessera-play', ({ detail: { play, balance } }) => {
  document.querySelector('#said').textContent =
    `${play.reward.label}. There are ${balance} points now.`
})
