"""Building HTML."""

from gpviz.experiments.report.html_elements import Markup, element, paragraph, table


def test_texts_are_escaped_and_markup_is_not():
    assert paragraph("1 < 2 & ", element("b", '"so"')) == "<p>1 &lt; 2 &amp; <b>&quot;so&quot;</b></p>"


def test_attributes_are_escaped_and_left_out_where_there_is_none():
    assert element("th", "x", class_='a"b', scope=None, aria_label="y") == (
        '<th class="a&quot;b" aria-label="y">x</th>'
    )


def test_a_table_has_a_caption_and_its_groups_of_rows():
    cell = element("td", "1")
    text = table("What <it> is", ([element("th", "h", scope="col")],), [[cell]], [[cell]], label="it")
    assert "<caption><span>What &lt;it&gt; is</span></caption>" in text
    assert text.count("<tbody>") == 2
    assert 'tabindex="0"' in text
    assert isinstance(text, Markup)
