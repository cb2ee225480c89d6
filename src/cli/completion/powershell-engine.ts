/** The part of the PowerShell script that is the same for every tree of commands; it stands in the body of the completer. */
export const powershellEngine = `
    # What a flag or an argument takes, as kind and words; a command's own flag comes before a global one.
    function Find-Value($place, $name) {
        foreach ($key in "$place $name", "* $name") {
            if ($salonValues.ContainsKey($key)) { return , $salonValues[$key] }
        }
    }

    # The flag in a word whose value is in the word too or follows it, and all that stands before the value.
    function Find-Flag($place, $text) {
        if ($text -cmatch '^(--[^=]+)=') { return @{ Flag = $Matches[1]; Attached = $Matches[0] } }
        if ($text.StartsWith('--')) {
            if (Find-Value $place $text) { return @{ Flag = $text; Attached = '' } }
            return
        }
        for ($i = 1; $i -lt $text.Length; $i++) {
            $flag = '-' + $text[$i]
            if (Find-Value $place $flag) {
                $attached = if ($i + 1 -lt $text.Length) { $text.Substring(0, $i + 1) } else { '' }
                return @{ Flag = $flag; Attached = $attached }
            }
        }
    }

    # The words before the cursor without their quotes; the one at the cursor ends there.
    $words = @()
    $raw = ''
    foreach ($element in $commandAst.CommandElements | Select-Object -Skip 1) {
        if ($element.Extent.StartOffset -ge $cursorPosition) { break }
        $text = $element.Extent.Text
        if ($element.Extent.EndOffset -ge $cursorPosition) {
            $raw = $text.Substring(0, $cursorPosition - $element.Extent.StartOffset)
        } else {
            $words += $text.Trim('"', "'")
        }
    }
    if ($raw -eq '' -and $wordToComplete -ne '') { $raw = $wordToComplete }
    $quote = if ($raw -match '^["'']') { $raw.Substring(0, 1) } else { '' }
    $word = $raw.Substring($quote.Length)

    # Follows the finished words: to which command, how many arguments, and whether a flag waits for its value.
    $place = ''
    $count = 0
    $last = ''
    $flag = ''
    $ended = $false
    foreach ($seen in $words) {
        if ($flag) {
            $flag = ''
        } elseif (-not $ended -and $seen -eq '--') {
            $ended = $true
        } elseif (-not $ended -and $seen -match '^-.') {
            $found = Find-Flag $place $seen
            if ($found -and -not $found.Attached) { $flag = $found.Flag }
        } elseif ($count -eq 0 -and $salonSteps.ContainsKey("$place $seen".Trim())) {
            $place = $salonSteps["$place $seen".Trim()]
        } else {
            $count++
            $last = $seen
        }
    }

    # What may stand at the cursor: rows of text and description, and what stands before them in the word.
    $attached = ''
    $value = $null
    $rows = @()
    if ($flag) {
        $value = Find-Value $place $flag
    } elseif (-not $ended -and $word.StartsWith('-')) {
        $found = Find-Flag $place $word
        if ($found -and $found.Attached) {
            $attached = $found.Attached
            $value = Find-Value $place $found.Flag
        } else {
            if ($salonFlags.ContainsKey($place)) { $rows += $salonFlags[$place] }
            $rows += $salonFlags['*']
        }
    } elseif ($count -eq 0 -and $salonChildren.ContainsKey($place)) {
        $rows = $salonChildren[$place]
    } else {
        $value = Find-Value $place $count
    }

    if ($value) {
        $candidates = @($value | Select-Object -Skip 1)
        switch ($value[0]) {
            'list' {
                if ($word.Substring($attached.Length).Contains(',')) {
                    $attached = $word.Substring(0, $word.LastIndexOf(',') + 1)
                }
                $chosen = ($attached -replace '^.*=', '').Split(',')
                $candidates = @($candidates | Where-Object { $chosen -cnotcontains $_ })
            }
            'after' {
                $start = "$last="
                $candidates = @($candidates | Where-Object { $_.StartsWith($start) } | ForEach-Object { $_.Substring($start.Length) })
            }
            'assignment' { $candidates = @($candidates | ForEach-Object { $_ + '=' }) }
            'profile' {
                $program = $commandAst.CommandElements[0].Extent.Text.Trim('"', "'")
                try {
                    $lines = @(& $program profiles list -c name -f csv 2>$null)
                    $candidates = @($lines | Select-Object -Skip 1 | ForEach-Object { $_.Trim() })
                } catch {
                    $candidates = @()
                }
            }
            'file' {
                $mark = $candidates[0]
                $start = $attached + $mark
                if (-not $word.StartsWith($start)) {
                    $candidates = @($mark)
                } else {
                    $attached = $start
                    $files = [System.Management.Automation.CompletionCompleters]::CompleteFilename($word.Substring($start.Length))
                    $candidates = @($files | ForEach-Object { $_.CompletionText.Trim('"', "'", '&', ' ') })
                }
            }
            'free' { $candidates = @() }
        }
        $rows = @($candidates | ForEach-Object { , @($_, $_) })
    }

    # PowerShell replaces only the end of a word that has commas in it: what it leaves alone is taken off.
    $kept = if ($raw.EndsWith($wordToComplete)) { $raw.Length - $wordToComplete.Length } else { 0 }
    foreach ($row in $rows) {
        $text = $attached + $row[0]
        if (-not $text.StartsWith($word, [StringComparison]::Ordinal)) { continue }
        # A bare @ would splat a variable, a comma would make a list, and a space would end the word.
        $sign = if ($quote) { $quote } elseif ($kept -eq 0 -and $text -match '^@|[,\\s]') { "'" } else { '' }
        $whole = $sign + $text + $sign
        $shown = if ($kept -gt 0 -and $kept -lt $whole.Length) { $whole.Substring($kept) } else { $whole }
        [System.Management.Automation.CompletionResult]::new($shown, $row[0], 'ParameterValue', $row[1])
    }
`;
