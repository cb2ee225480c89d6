# Completes salon in PowerShell. In $PROFILE: salon completion powershell | Out-String | Invoke-Expression

Register-ArgumentCompleter -Native -CommandName salon -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    # The words before the cursor without their quotes, and the one at the cursor as far as it is typed.
    $words = @()
    $raw = ''
    foreach ($element in $commandAst.CommandElements) {
        if ($element.Extent.StartOffset -ge $cursorPosition) { break }
        $text = $element.Extent.Text
        if ($element.Extent.EndOffset -lt $cursorPosition) { $words += $text.Trim('"', "'") }
        else { $raw = $text.Substring(0, $cursorPosition - $element.Extent.StartOffset) }
    }
    $quote = if ($raw -match '^["'']') { $raw.Substring(0, 1) } else { '' }
    $word = $raw.Substring($quote.Length)

    # In a variable, because Windows PowerShell drops empty arguments and the quotes in others.
    $env:SALON_COMPLETE = (@($words | Select-Object -Skip 1) + $word) -join "`n"
    try { $lines = @(& $words[0] __complete 2>$null) } catch { $lines = @() }
    $env:SALON_COMPLETE = $null

    # PowerShell replaces only the end of a word that has commas in it.
    $kept = if ($raw.EndsWith($wordToComplete)) { $raw.Length - $wordToComplete.Length } else { 0 }
    foreach ($line in $lines) {
        $text, $description = $line -split "`t", 2
        if ($line.StartsWith(':files')) {
            $prefix = $line.Substring(7)
            $files = [System.Management.Automation.CompletionCompleters]::CompleteFilename($word.Substring($prefix.Length))
            $offers = @($files | ForEach-Object { $prefix + $_.CompletionText.Trim('"', "'", '&', ' ') })
        } elseif ($line.StartsWith(':')) { $offers = @() } else { $offers = @($text) }
        foreach ($offer in $offers) {
            # A bare @ would splat a variable, a comma would make a list, and a space would end the word.
            $sign = if ($quote) { $quote } elseif ($kept -eq 0 -and $offer -match '^@|[^\w./:=@+-]') { "'" } else { '' }
            $whole = $sign + $(if ($sign -eq "'") { $offer.Replace("'", "''") } else { $offer }) + $sign
            $shown = if ($kept -gt 0 -and $kept -lt $whole.Length) { $whole.Substring($kept) } else { $whole }
            $tip = if ($description) { $description } else { $offer }
            [System.Management.Automation.CompletionResult]::new($shown, $offer, 'ParameterValue', $tip)
        }
    }
}
