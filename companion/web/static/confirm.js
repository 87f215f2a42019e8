// A question before what cannot simply be taken back: a dialog that keyboard and screen reader know.

export function asked(question) {
  const dialog = document.getElementById("confirm");
  if (!dialog || dialog.open) return Promise.resolve(false);
  dialog.querySelector("p").textContent = question;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((answer) => {
    dialog.addEventListener("close", () => answer(dialog.returnValue === "yes"), { once: true });
  });
}
